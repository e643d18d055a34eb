#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
#
# The policy is replaced a thousand times under load.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"

exec "$RG_BUILD/selftests/live/test_policy"
