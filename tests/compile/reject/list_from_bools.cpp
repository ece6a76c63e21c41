// SPDX-License-Identifier: Apache-2.0
// A list of integers is not built from an array of truth values.
// g++ says: conversion from 'std::array<bool, 2>' to non-scalar type 'strew::index_list'
// clang says: because 'std::array<bool, 2>' does not satisfy 'integer_range'
#include <strew/strew.hpp>

#include <array>

strew::index_list list = std::array<bool, 2>{true, false};
