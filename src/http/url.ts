const EMPTY = new URLSearchParams()

/** The query of a URL, parsed from its text. */
export function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf('?')
  return mark === -1 ? EMPTY : new URLSearchParams(url.slice(mark + 1))
}

/** Decodes percent-escapes; returns `text` unchanged if they are malformed. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The path of SITE_ROOT without a trailing slash; empty if none. */
export function basePath(siteRoot: string): string {
  return new URL(siteRoot).pathname.replace(/\/$/, '')
}
