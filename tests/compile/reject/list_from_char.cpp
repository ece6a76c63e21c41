// SPDX-License-Identifier: Apache-2.0
// A list of integers is not built from a character.
// g++ says: conversion from 'char' to non-scalar type 'strew::index_list'
// clang says: no viable conversion from 'char' to 'strew::index_list'
#include <strew/strew.hpp>

strew::index_list list = 'a';
