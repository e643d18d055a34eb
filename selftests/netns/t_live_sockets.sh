#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What programs send by sockets and their options, judged by what arrives at the far end.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"

exec "$RG_BUILD/selftests/live/test_sockets"
