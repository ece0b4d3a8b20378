// SPDX-License-Identifier: Apache-2.0
// What Asio and Beast need not compile again in every file that uses them.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
