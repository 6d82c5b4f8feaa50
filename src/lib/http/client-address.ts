import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The client's address, safe for access decisions. Of `forwarded` (X-Forwarded-For), only the part that trusted proxies
 * wrote counts: the client is the rightmost address that is not a trusted proxy. `trusted` lists addresses and networks.
 * An IPv4-mapped IPv6 address is returned as IPv4.
 */
export function clientAddress(
  peer: string,
  forwarded: string | undefined,
  trusted: readonly string[],
): string {
  let address = normalise(peer)
  const hops = forwarded === undefined ? [] : forwarded.split(',').map(hop => hop.trim())
  while (hops.length > 0 && isTrusted(address, trusted)) {
    const hop = withoutPort(hops.pop()!)
    if (!ipaddr.isValid(hop)) break
    address = normalise(hop)
  }
  return address
}

/** Whether an address is that of a trusted proxy. */
export function isTrusted(address: string, trusted: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return trusted.some(network => {
    const [range, bits] = network.includes('/')
      ? ipaddr.parseCIDR(network)
      : [ipaddr.process(network), undefined]
    if (range.kind() !== parsed.kind()) return false
    if (bits === undefined) return range.toString() === parsed.toString()
    return parsed.match([range, bits] as [ipaddr.IPv4, number])
  })
}

/** What counts as one client: an IPv4 address, or an IPv6 /64, which one household or host is assigned. Source: RFC 6177. */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}

function normalise(address: string): string {
  // Most are, and need not be read.
  if (isIPv4(address)) return address
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

function withoutPort(hop: string): string {
  return /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop
}
