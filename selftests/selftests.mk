# SPDX-License-Identifier: Apache-2.0
#
# Each ring of tests has its own rules.

include $(sort $(wildcard selftests/*/*.mk))
