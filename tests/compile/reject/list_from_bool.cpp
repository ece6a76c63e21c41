// SPDX-License-Identifier: Apache-2.0
// A list of integers is not built from a truth value.
// g++ says: conversion from 'bool' to non-scalar type 'strew::index_list'
// clang says: no viable conversion from 'bool' to 'strew::index_list'
#include <strew/strew.hpp>

strew::index_list list = true;
