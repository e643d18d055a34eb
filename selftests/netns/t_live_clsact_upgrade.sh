#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
#
# Programs and filters are replaced under load, as on a kernel without TCX.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"

export RAILGATE_FORCE_CLSACT=1
exec "$RG_BUILD/selftests/live/test_upgrade"
