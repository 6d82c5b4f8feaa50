import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether a connection to this address may be made. */
export type AddressRule = (address: string) => boolean

/** Allows every address, for servers that the operator configures. */
export const anyAddress: AddressRule = () => true

/** Azure's metadata service. It gives virtual machines their secrets, at an address that looks public. */
export const AZURE_METADATA = '168.63.129.16'

/** Global unicast, the only part of IPv6 that the internet routes. Source: RFC 4291, section 2.4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** IPv4 addresses as seen from IPv6-only networks. Source: RFC 6052, section 2.1. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** A deprecated form, which the parser would read as IPv4-mapped. Source: RFC 4291, section 2.5.5.1. */
const IPV4_COMPATIBLE = /^::\d+\./

/**
 * Whether an IP address in text form is on the public internet. Returns false for loopback, private, link-local, shared,
 * multicast, reserved and tunnelled ranges, and for invalid addresses. An IPv4 address embedded in an IPv6 address is
 * checked as IPv4. Source: the IANA special-purpose address registries.
 */
export const isPublicAddress: AddressRule = address => {
  if (isIP(address) === 0 || IPV4_COMPATIBLE.test(address)) return false
  const parsed = unwrapIpv4(ipaddr.parse(address))
  if (parsed.range() !== 'unicast') return false
  if (parsed instanceof ipaddr.IPv6) return parsed.match(GLOBAL_UNICAST)
  return parsed.toString() !== AZURE_METADATA
}

function unwrapIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(12))
  return address
}
