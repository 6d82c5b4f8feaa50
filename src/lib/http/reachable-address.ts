import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type AddressRule, AZURE_METADATA } from './public-address.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Cloud metadata services outside the link-local ranges: Azure, Alibaba, Oracle, AWS, Google. */
const METADATA = [AZURE_METADATA, '100.100.100.200', '192.0.0.192', 'fd00:ec2::/32', 'fd20:ce::254'].map(
  range => ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`),
)

/** IPv6 ranges whose last four bytes may be an IPv4 address: translated, mapped, compatible, local-use NAT64. */
const ENDS_IN_IPV4 = ['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'].map(
  range => ipaddr.IPv6.parseCIDR(range),
)

/** 6to4, where bytes 2 to 5 are an IPv4 address. Source: RFC 3056, section 2. */
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16')

/**
 * Whether an address may be reached where private addresses are allowed. Excludes link-local addresses and cloud
 * metadata services, also when they are embedded in an IPv6 address.
 */
export const isReachableAddress: AddressRule = address => {
  if (isIP(address) === 0) return false
  return embeddedAddresses(ipaddr.parse(address)).every(
    one => one.range() !== 'linkLocal' && ipaddr.subnetMatch(one, { metadata: METADATA }, '') === '',
  )
}

/** The address, and the IPv4 addresses that may be embedded in it. */
function embeddedAddresses(address: Address): Address[] {
  if (!(address instanceof ipaddr.IPv6)) return [address]
  const bytes = address.toByteArray()
  const found: Address[] = [address]
  if (ENDS_IN_IPV4.some(range => address.match(range))) found.push(new ipaddr.IPv4(bytes.slice(12)))
  if (address.match(SIX_TO_FOUR)) found.push(new ipaddr.IPv4(bytes.slice(2, 6)))
  return found
}
