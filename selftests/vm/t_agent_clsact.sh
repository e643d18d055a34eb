#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# kernel: 6.1
# timeout: 500
#
# The agent among other products' programs on a kernel that has no TCX at all. The flood is smaller
# than on the machine itself, since the virtual machine is emulated.
set -eu

for module in veth sch_ingress cls_bpf; do
	modprobe "$module"
done
export RG_FLOOD=5000
exec bash "$(dirname "$0")/../netns/t_agent_chain.sh"
