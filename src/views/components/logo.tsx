import { raw } from 'hono/html'

interface Props {
  svg: string
  /** The colour of a tile behind the logo, or null for a neutral one; without it there is no tile. */
  tile?: string | null
}

/** The logo of an integration: an SVG drawn for Punctual, never a file from elsewhere. */
export function Logo({ svg, tile }: Props) {
  if (tile === undefined) {
    return (
      <span class="logo" aria-hidden="true">
        {raw(svg)}
      </span>
    )
  }
  return (
    <span class={tile === null ? 'logo logo-tile' : 'logo logo-tile logo-coloured'} aria-hidden="true">
      {/* The policy for styles allows no style attributes, so the colour is an attribute of a drawing. */}
      {tile === null ? null : (
        <svg class="logo-back" viewBox="0 0 1 1" aria-hidden="true">
          <rect width="1" height="1" fill={tile} />
        </svg>
      )}
      {raw(svg)}
    </span>
  )
}
