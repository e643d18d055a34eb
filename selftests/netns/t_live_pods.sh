#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Between pods of one node, under other names, removed, receiving.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"

exec "$RG_BUILD/selftests/live/test_pods"
