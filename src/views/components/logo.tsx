import { raw } from 'hono/html'

/** The logo of an integration: an SVG of our own drawing, never anything from outside. */
export function Logo({ svg }: { svg: string }) {
  return (
    <span class="logo" aria-hidden="true">
      {raw(svg)}
    </span>
  )
}
