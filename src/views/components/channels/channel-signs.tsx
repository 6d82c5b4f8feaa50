import { raw } from 'hono/html'

/** The logos of the kinds, once per page; see `ChannelSign`. `logos`: our own SVG by kind. */
export function ChannelSigns({ logos }: { logos: Readonly<Record<string, string>> }) {
  const symbols = Object.entries(logos).map(([kind, logo]) =>
    logo.replace(/^<svg/, `<symbol id="kind-${kind}"`).replace(/<\/svg>\s*$/, '</symbol>'),
  )
  return (
    <svg class="signs" aria-hidden="true">
      {raw(symbols.join(''))}
    </svg>
  )
}
