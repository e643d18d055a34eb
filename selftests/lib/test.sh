# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Everything a test in selftests/netns or selftests/vm needs:
#
#	#!/bin/bash
#	set -eu
#	. "$(dirname "$0")/../lib/test.sh"
#	netns_enter "$0" "$@"

RG_LIB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$RG_LIB/tap.sh"
. "$RG_LIB/wait.sh"
. "$RG_LIB/netns.sh"
. "$RG_LIB/residue.sh"
. "$RG_LIB/railgate.sh"
. "$RG_LIB/vm.sh"
. "$RG_LIB/rxe.sh"
