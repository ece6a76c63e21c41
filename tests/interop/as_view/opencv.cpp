// SPDX-License-Identifier: Apache-2.0
// as_view on OpenCV's own matrices.
#include "support/catch.hpp"

#include <opencv2/core.hpp>
#include <strew/dynamic.hpp>
#include <strew/runtimes.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using strew::as_view;
using strew::errc;
using strew::index_list;
using strew::tensor_view;

TEST_CASE("OpenCV: matrices of an element type, and parts of them") {
  cv::Mat_<float> matrix(3, 4);
  matrix = 0.0F;
  const auto view = as_view(matrix);
  CHECK(std::is_same_v<decltype(view), const tensor_view<float>>);
  CHECK(view.extents() == index_list{3, 4});
  CHECK(&view(2, 1) == &matrix(2, 1));
  cv::Mat_<float> part = matrix(cv::Range(1, 3), cv::Range(1, 3));
  CHECK(as_view(part).strides() == index_list{4, 1});
  CHECK(&as_view(part)(1, 1) == &matrix(2, 2));
  const cv::Mat_<float>& constant = matrix;
  CHECK(std::is_same_v<decltype(as_view(constant)), tensor_view<const float>>);
  const int sizes[] = {2, 3, 4};
  cv::Mat_<double> cube(3, sizes);
  CHECK(as_view(cube).extents() == index_list{2, 3, 4});
  CHECK(&as_view(cube)(1, 2, 3) == &cube(1, 2, 3));

  strew::scatter_update(matrix, std::array{2}, cv::Mat_<float>(1, 4, 7.0F), 0);
  CHECK(matrix(2, 3) == 7);
}

TEST_CASE("OpenCV: pixels as elements, or their channels as a last axis") {
  cv::Mat_<cv::Vec3b> picture(2, 4);
  picture = cv::Vec3b(1, 2, 3);
  CHECK(as_view(picture).extents() == index_list{2, 4});
  strew::index_fill(picture, 1, std::array{-1}, cv::Vec3b(7, 8, 9));
  CHECK(picture(1, 3) == cv::Vec3b(7, 8, 9));
  CHECK(picture(1, 2) == cv::Vec3b(1, 2, 3));

  cv::Mat any = picture;
  const auto channels = as_view<unsigned char>(any);
  CHECK(channels.extents() == index_list{2, 4, 3});
  CHECK(channels(1, 3, 2) == 9);
  CHECK(&channels(1, 3, 2) == &picture(1, 3)[2]);

  // Lines of 13 bytes hold 4 pixels of 3 bytes, which no stride in pixels finds.
  std::vector<unsigned char> padded(26);
  cv::Mat_<cv::Vec3b> uneven(2, 4, reinterpret_cast<cv::Vec3b*>(padded.data()), 13);
  tensor_view<cv::Vec3b> pixels;
  CHECK(strew::try_as_view(uneven, pixels).code() == errc::misaligned_stride);
  cv::Mat_<float> odd(1, 2, reinterpret_cast<float*>(padded.data() + 1));
  tensor_view<float> floats;
  CHECK(strew::try_as_view(odd, floats).code() == errc::misaligned_stride);
  cv::Mat same = uneven;
  CHECK(as_view<unsigned char>(same).strides() == index_list{13, 3, 1});
}

TEST_CASE("OpenCV: the element type of a Mat is checked when the program runs") {
  cv::Mat matrix(3, 4, CV_32FC1, cv::Scalar(0));
  CHECK(as_view<float>(matrix).extents() == index_list{3, 4});
  tensor_view<double> wrong;
  CHECK(std::string(strew::try_as_view<double>(matrix, wrong).message().c_str()) ==
        "as_view: tensor has floating-point elements of 4 bytes, expected floating-point ones of 8");
  const cv::Mat constant = matrix;
  tensor_view<float> view;
  CHECK(strew::try_as_view<float>(constant, view).code() == errc::unreachable_memory);
  CHECK(as_view<const float>(constant).size() == 12);
  cv::Mat none(0, 4, CV_32FC1);
  CHECK(as_view<float>(none).empty());
  cv::Mat nothing;
  tensor_view<unsigned char> bytes;
  CHECK(strew::try_as_view<unsigned char>(nothing, bytes).code() == errc::null_data);

  cv::Mat rows(2, 1, CV_32SC1);
  rows.at<int>(0) = 2;
  rows.at<int>(1) = 0;
  cv::Mat updates(2, 4, CV_32FC1, cv::Scalar(5));
  const auto which = strew::dynamic::as_index_tensor(rows);
  CHECK(which.type() == strew::index_type::int32);
  const strew::dynamic::index_tensor list{which.data(), which.type(), {2}};
  strew::scatter_update(strew::dynamic::as_tensor(matrix), list, strew::dynamic::as_const_tensor(updates), 0);
  CHECK(matrix.at<float>(2, 3) == 5);
  CHECK(matrix.at<float>(1, 3) == 0);
  strew::dynamic::index_tensor floats;
  CHECK(strew::dynamic::try_as_index_tensor(matrix, floats).code() == errc::type_mismatch);
}

}  // namespace
