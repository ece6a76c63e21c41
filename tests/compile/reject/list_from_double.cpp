// SPDX-License-Identifier: Apache-2.0
// A list of integers is not built from a floating-point number.
// g++ says: conversion from 'double' to non-scalar type 'strew::index_list'
// clang says: no viable conversion from 'double' to 'strew::index_list'
#include <strew/strew.hpp>

strew::index_list list = 1.0;
