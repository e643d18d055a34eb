#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# make install and make uninstall below a DESTDIR, the atomic installation of the plugin, and
# whether what is installed is valid: unit, configuration, networks.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
cd "$RG_SRC"

dest=$RG_TMP/dest
run_make() {
	make -s "O=$RG_BUILD" "DESTDIR=$dest" PREFIX=/usr CNIBINDIR=/opt/cni/bin "$@"
}
# Without the clock: ownership, mode and contents of all that is there.
listing() {
	(cd "$dest" && find . -type f -printf '%m %U:%G %p\n' | sort && find . -type f -exec cksum {} +)
}

tap_run "installs" run_make install
for want in "755 ./opt/cni/bin/railgate" "755 ./usr/sbin/railgated" "755 ./usr/sbin/railctl" \
	"644 ./lib/systemd/system/railgated.service" "644 ./etc/railgate/railgate.json" \
	"644 ./usr/share/man/man8/railgate.8.gz" "644 ./usr/share/man/man8/railgated.8.gz" \
	"644 ./usr/share/man/man8/railctl.8.gz" "644 ./usr/share/man/man5/railgate.json.5.gz" \
	"644 ./usr/share/doc/railgate/NEWS.md"; do
	file=$dest/${want#* ./}
	tap_is "${want#* .} has its mode" "$(stat -c %a "$file" 2>&1)" "${want%% *}"
done
tap_is "every example is there" "$(ls "$dest/usr/share/doc/railgate/examples")" \
	"$(ls deploy/examples)"
tap_is "nothing else is in the plugin directory" "$(ls -A "$dest/opt/cni/bin")" railgate
for page in "$dest"/usr/share/man/man*/*.gz; do
	tap_run "${page##*/} is a manual page" grep -q '^\.SH NAME' <(gzip -dc "$page")
done

before=$(listing)
inode=$(stat -c %i "$dest/opt/cni/bin/railgate")
tap_run "installs again" run_make install
tap_is "the second time nothing changes" "$(listing)" "$before"
tap_is "the same plugin is not written again" "$(stat -c %i "$dest/opt/cni/bin/railgate")" "$inode"

echo '{"operator": "changed this"}' >"$dest/etc/railgate/railgate.json"
tap_run "installs over a changed configuration" run_make install
tap_match "and keeps it" "$(cat "$dest/etc/railgate/railgate.json")" 'operator'
tap_run "uninstalls" run_make uninstall
tap_match "and says that it keeps it" "$TAP_OUT" 'kept'
tap_is "nothing else is left" "$(cd "$dest" && find . -type f)" "./etc/railgate/railgate.json"
rm "$dest/etc/railgate/railgate.json"
tap_run "installs once more" run_make install
tap_run "uninstalls with an untouched configuration" run_make uninstall
tap_is "no file is left" "$(find "$dest" -type f)" ""
tap_run "uninstalls what is not there" run_make uninstall

# The plugin is replaced while it is executed all the time, by a new file of the same name.
bin=$RG_TMP/bin
mkdir "$bin" "$RG_TMP/a" "$RG_TMP/b"
printf '#!/bin/sh\n# %65536s\nexit 0\n' a >"$RG_TMP/a/plugin"
printf '#!/bin/sh\n# %65536s\nexit 0\n' b >"$RG_TMP/b/plugin"
deploy/install-cni.sh "$RG_TMP/a/plugin" "$bin"
caller() {
	local n=0

	while [ ! -e "$RG_TMP/stop" ]; do
		"$bin/plugin" || echo "run $n: exit status $?"
		n=$((n + 1))
	done
	echo "runs: $n"
}
caller >"$RG_TMP/caller" 2>&1 &
for i in {1..30}; do
	deploy/install-cni.sh "$RG_TMP/$([ $((i % 2)) -eq 0 ] && echo a || echo b)/plugin" "$bin"
done
touch "$RG_TMP/stop"
wait
tap_match "the plugin ran during 30 replacements" "$(cat "$RG_TMP/caller")" '^runs: [1-9][0-9]'
tap_nomatch "and never failed" "$(cat "$RG_TMP/caller")" '^run [0-9]'
tap_is "no temporary file is left" "$(ls -A "$bin")" plugin
touch -d '1 hour ago' "$bin/.plugin.new.abcdef"
deploy/install-cni.sh "$RG_TMP/a/plugin" "$bin"
tap_is "leftovers of a killed run are removed" "$(ls -A "$bin")" plugin
ln -sf /bin/true "$bin/plugin"
deploy/install-cni.sh "$RG_TMP/a/plugin" "$bin"
tap_run "a link is replaced, not written through" test ! -L "$bin/plugin"
: >"$RG_TMP/empty"
tap_refuse "refuses an empty plugin" deploy/install-cni.sh "$RG_TMP/empty" "$bin"
tap_refuse "refuses a missing plugin" deploy/install-cni.sh "$RG_TMP/none" "$bin"
tap_refuse "refuses a directory that is a file" deploy/install-cni.sh "$RG_TMP/a/plugin" "$RG_TMP/empty"

# The unit, with the agent where the unit says it is.
if command -v systemd-analyze >/dev/null; then
	sed 's|@SBINDIR@|'"$RG_BUILD"'|' deploy/systemd/railgated.service >"$RG_TMP/railgated.service"
	tap_run "the systemd unit is valid" systemd-analyze verify --man=no "$RG_TMP/railgated.service"
	tap_is "without a warning" "$TAP_OUT" ""
	tap_run "and confines the agent" systemd-analyze security --offline=yes --threshold=50 \
		"$RG_TMP/railgated.service"
else
	tap_skip "the systemd unit is valid" "systemd-analyze is not installed"
fi
tap_done
