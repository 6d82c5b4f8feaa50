import ipaddr from 'ipaddr.js'

/**
 * Where a request came from, for what guards something. `forwarded` (X-Forwarded-For) is believed only as far as
 * trusted proxies wrote it: from the right, the first address that is none of theirs. `trusted`: addresses and
 * networks. An IPv4 address inside an IPv6 one is written as itself.
 */
export function clientAddress(
  peer: string,
  forwarded: string | undefined,
  trusted: readonly string[],
): string {
  let address = plain(peer)
  const hops = forwarded === undefined ? [] : forwarded.split(',').map(hop => hop.trim())
  while (hops.length > 0 && isTrusted(address, trusted)) {
    const hop = withoutPort(hops.pop()!)
    if (!ipaddr.isValid(hop)) break
    address = plain(hop)
  }
  return address
}

/** Whether an address is one of the trusted proxies'. */
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

/** What counts as one client: an IPv4 address, or the /64 that a household or a host gets. Source: RFC 6177. */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}

function plain(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

function withoutPort(hop: string): string {
  return /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop
}
