#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
#
# Programs and hooks are replaced under load.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"

exec "$RG_BUILD/selftests/live/test_upgrade"
