import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'

/** Inline styles are for readers that ignore style sheets; the sheet turns the colours for dark mode. */
const SHEET = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #16181b !important; color: #e6e8ea !important; }
  .quiet, .quiet a { color: #a3abb3 !important; }
  .link { color: #8ab8ff !important; }
  .output { background: #22262b !important; color: #e6e8ea !important; }
  .down { color: #ff8f85 !important; border-color: #ff8f85 !important; }
  .up { color: #74d99f !important; border-color: #74d99f !important; }
}`

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

/** The page around every e-mail, as a document that ends with the site's name and the ways to stop it. */
export function emailDocument(props: {
  title: string
  siteName: string
  siteRoot: string
  /** Null for a message that somebody asked for. */
  unsubscribeUrl: string | null
  children: Child
}): string {
  return `<!doctype html>\n${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{props.title}</title>
        <style>{raw(SHEET)}</style>
      </head>
      <body class="page" style={`margin:0;background:#ffffff;color:#1b1f23;font:16px/1.5 ${FONT}`}>
        <div style="max-width:600px;margin:0 auto;padding:24px 16px;overflow-wrap:anywhere">
          {props.children}
          <p class="quiet" style="margin:32px 0 0;font-size:13px;color:#5b646d">
            <a href={props.siteRoot} class="quiet" style="color:#5b646d">
              {props.siteName}
            </a>
            {props.unsubscribeUrl && (
              <>
                {' · '}
                <a href={props.unsubscribeUrl} class="quiet" style="color:#5b646d">
                  Unsubscribe
                </a>
              </>
            )}
          </p>
        </div>
      </body>
    </html>
  )}\n`
}

/** The end of every plain text e-mail. */
export function textFooter(props: {
  siteName: string
  siteRoot: string
  unsubscribeUrl: string | null
}): string {
  const unsubscribe = props.unsubscribeUrl === null ? '' : `Unsubscribe: ${props.unsubscribeUrl}\n`
  return `--\n${props.siteName}: ${props.siteRoot}\n${unsubscribe}`
}
