#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Write the seeds of fuzz_netlink from the answers of a kernel.

Usage: unshare -n selftests/fuzz/seed_netlink.py selftests/fuzz/corpus/netlink

Makes a few links, addresses, routes and rules in the empty namespace that it is started in, asks
for them over raw netlink and keeps the datagrams in the format that fuzz_netlink.c describes.
"""
import os
import socket
import struct
import subprocess
import sys

NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP = 1, 4, 0x300
RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE, RTM_GETRULE = 18, 22, 26, 34
NLMSG_ERROR, NLMSG_DONE = 2, 3
SOL_NETLINK, NETLINK_EXT_ACK = 270, 11

SETUP = """
link add rail0 mtu 4200 type veth peer name fabric0
link add link rail0 name pod0 address 02:00:00:00:00:05 type macvlan mode bridge
link property add dev rail0 altname rail-zero
link set pod0 alias a-pod
link set rail0 up
link set fabric0 up
link set pod0 up
address add 172.16.0.10/24 dev rail0
address add fd00:16::10/64 dev rail0 nodad
route add 172.16.0.0/16 via 172.16.0.1 dev rail0 metric 100 proto 166
route add fd00:16::/48 via fd00:16::1 dev rail0 metric 100
rule add from 172.16.0.10 table 100 priority 1000
-6 rule add to fd00:16::/48 oif rail0 fwmark 5 table 200
"""


def ask(kind, header, dump=True):
    """Send one request; return the datagrams of its answer."""
    sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    sock.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
    sock.bind((0, 0))
    sock.settimeout(2)
    flags = NLM_F_REQUEST | (NLM_F_DUMP if dump else NLM_F_ACK)
    sock.send(struct.pack("=IHHII", 16 + len(header), kind, flags, 1, 0) + header)
    datagrams = []
    while True:
        data = sock.recv(65536)
        datagrams.append(data)
        at = 0
        while at + 16 <= len(data):
            size, what = struct.unpack_from("=IH", data, at)
            if what in (NLMSG_ERROR, NLMSG_DONE):
                return datagrams
            at += (size + 3) & ~3


def save(folder, name, which, datagrams):
    """Write one seed."""
    with open(os.path.join(folder, name), "wb") as out:
        out.write(bytes([which]))
        for data in datagrams:
            out.write(struct.pack("<HB", len(data), 0) + data)


def main():
    folder = sys.argv[1]
    for line in SETUP.strip().splitlines():
        subprocess.run(["ip", *line.split()], check=True)
    os.makedirs(folder, exist_ok=True)
    v4, v6 = socket.AF_INET, socket.AF_INET6
    links = ask(RTM_GETLINK, struct.pack("=BxHiII", 0, 0, 0, 0, 0))
    one = ask(RTM_GETLINK, struct.pack("=BxHiII", 0, 0, 2, 0, 0), dump=False)
    missing = ask(RTM_GETLINK, struct.pack("=BxHiII", 0, 0, 9999, 0, 0), dump=False)
    addrs = ask(RTM_GETADDR, struct.pack("=BBBBI", 0, 0, 0, 0, 0))
    routes = [d for f in (v4, v6) for d in ask(RTM_GETROUTE, struct.pack("=8BI", f, *[0] * 7, 0))]
    rules = [d for f in (v4, v6) for d in ask(RTM_GETRULE, struct.pack("=8BI", f, *[0] * 7, 0))]
    save(folder, "links", 0, links)
    save(folder, "link", 1, one)
    save(folder, "no-link", 1, missing)
    save(folder, "addresses", 2, addrs)
    save(folder, "routes", 3, routes)
    save(folder, "rules", 4, rules)
    save(folder, "events", 5, links + addrs + routes)
    save(folder, "wrong-answer", 0, routes)


main()
