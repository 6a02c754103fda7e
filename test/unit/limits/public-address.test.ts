import { expect, test } from "vitest";

import { isPublicAddress } from "../../../src/addresses/public-address.ts";

test.each([
  ["loopback", "127.0.0.1"],
  ["all of loopback", "127.255.255.254"],
  ["unspecified", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["private 10/8", "10.0.0.1"],
  ["private 172.16/12", "172.31.255.255"],
  ["private 192.168/16", "192.168.1.1"],
  ["link-local, where clouds keep credentials", "169.254.169.254"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["protocol assignments", "192.0.0.192"],
  ["documentation", "203.0.113.7"],
  ["benchmarking", "198.18.0.1"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["IPv6 loopback", "::1"],
  ["IPv6 unspecified", "::"],
  ["unique-local", "fd00:ec2::254"],
  ["IPv6 link-local", "fe80::1"],
  ["IPv6 link-local with a zone", "fe80::1%eth0"],
  ["IPv6 site-local", "fec0::1"],
  ["IPv6 multicast", "ff02::1"],
  ["discard", "100::1"],
  ["IPv6 documentation", "2001:db8::1"],
  ["newer IPv6 documentation", "3fff::1"],
  ["mapped loopback", "::ffff:127.0.0.1"],
  ["mapped loopback in hexadecimal", "::ffff:7f00:1"],
  ["mapped link-local", "::ffff:169.254.169.254"],
  ["loopback as an IPv4-compatible address", "::127.0.0.1"],
  ["a public address as an IPv4-compatible address", "::8.8.8.8"],
  ["a translated IPv4 address", "::ffff:0:127.0.0.1"],
  ["loopback behind NAT64", "64:ff9b::7f00:1"],
  ["a private address behind NAT64", "64:ff9b::10.0.0.1"],
  ["a local NAT64 prefix", "64:ff9b:1::808:808"],
  ["6to4", "2002:7f00:1::1"],
  ["Teredo", "2001:0:7f00:1::1"],
  ["a name", "localhost"],
  ["nothing", ""],
])("An address is not public if it is %s: %s", (_what, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2606:4700::1111"])(
  "The address %s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);
