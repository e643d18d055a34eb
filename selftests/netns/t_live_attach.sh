#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Among foreign programs on the same hooks, and against what a pod may do to its own.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"

exec "$RG_BUILD/selftests/live/test_attach"
