// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ringwave::cli {

/// A song would be replaced by its picture if the name were taken as it comes: throws InvalidArgument for a
/// path of a file that does not end in .png. [setup]
void require_png(const std::string& path);

}  // namespace ringwave::cli
