// SPDX-License-Identifier: Apache-2.0
// A list of integers is not built from a string.
// g++ says: conversion from 'const char [3]' to non-scalar type 'strew::index_list'
// clang says: no viable conversion from 'const char[3]' to 'strew::index_list'
#include <strew/strew.hpp>

strew::index_list list = "12";
