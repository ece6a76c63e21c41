// SPDX-License-Identifier: Apache-2.0
// The errors that calls of each operator report.
#ifndef STREW_DOCS_SITE_FORMS_ERRORS_HPP
#define STREW_DOCS_SITE_FORMS_ERRORS_HPP

// Prints lines of fields between tabs: "code" and a name for each code; for each operator "errors" and its name, then
// "error", a code and the message of a call that is refused with it.
void print_errors();

#endif  // STREW_DOCS_SITE_FORMS_ERRORS_HPP
