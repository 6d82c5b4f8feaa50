/** The path and the query of a URL, taken from its text. One layer of escapes is taken off the path. */
export function splitUrl(url: string): { path: string; query: string | null } {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const mark = url.indexOf('?', start)
  const path = mark === -1 ? url.slice(start) : url.slice(start, mark)
  return {
    path: path.includes('%') ? unescaped(path) : path,
    query: mark === -1 ? null : url.slice(mark + 1),
  }
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
