#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Every way of sending a frame of one's own making, judged by what arrives at the far end.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"

exec "$RG_BUILD/selftests/live/test_frames"
