// SPDX-License-Identifier: Apache-2.0
// The errors that calls of each operator report.
#ifndef STREW_DOCS_SITE_FORMS_ERRORS_HPP
#define STREW_DOCS_SITE_FORMS_ERRORS_HPP

// For each operator that is printed a line "errors", its name; then a line "error" for each code, its name and the
// message of a call that is refused with it.
void print_errors();

#endif  // STREW_DOCS_SITE_FORMS_ERRORS_HPP
