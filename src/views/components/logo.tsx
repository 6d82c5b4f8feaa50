import { raw } from 'hono/html'

/** The logo of an integration: an SVG drawn for Punctual, never a file from elsewhere. */
export function Logo({ svg }: { svg: string }) {
  return (
    <span class="logo" aria-hidden="true">
      {raw(svg)}
    </span>
  )
}
