// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringwave::cli {

/// Holds the places of standard input, output and error where the program was started without them, so that
/// no file that is opened later gets what is printed. [setup]
void hold_standard_streams();

/// Throws BadFile where something that was printed did not reach standard output. Without it a full disk, or
/// a reader that went away, looks like success. [setup]
void require_printed();

}  // namespace ringwave::cli
