const EMPTY = new URLSearchParams()

/** The query of a URL, taken from its text. */
export function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf('?')
  return mark === -1 ? EMPTY : new URLSearchParams(url.slice(mark + 1))
}

/** `text` without its percent-escapes, or as it is where they are broken. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The path part of SITE_ROOT without a trailing slash; empty for none. */
export function basePath(siteRoot: string): string {
  return new URL(siteRoot).pathname.replace(/\/$/, '')
}
