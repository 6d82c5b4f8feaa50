import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'

/** Inline styles are for mail programs that ignore style sheets; the style sheet adapts the colours for dark mode. */
const SHEET = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .page { padding: 0 !important; }
  .card { border-left: 0 !important; border-right: 0 !important; border-radius: 0 !important; padding: 20px 16px !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background: #101214 !important; color: #e6e8ea !important; }
  .card { background: #191c20 !important; border-color: #30363d !important; color: #e6e8ea !important; }
  .quiet, .quiet a, a.quiet { color: #a3abb3 !important; }
  .link { color: #8ab8ff !important; }
  .button { background: #8ab8ff !important; color: #10131a !important; }
  .line { border-color: #30363d !important; }
  .output { background: #101214 !important; color: #e6e8ea !important; border-color: #30363d !important; }
  .down { color: #ff8f85 !important; border-color: #ff8f85 !important; }
  .up { color: #74d99f !important; border-color: #74d99f !important; }
}`

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

/** The frame of every e-mail, as a document that ends with the site's name and the unsubscribe links. */
export function emailDocument(props: {
  title: string
  siteName: string
  siteRoot: string
  /** Null for a message that the recipient requested. */
  unsubscribeUrl: string | null
  children: Child
}): string {
  return `<!doctype html>\n${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{props.title}</title>
        <style>{raw(SHEET)}</style>
      </head>
      <body
        class="page"
        style={`margin:0;padding:24px 12px;background:#f3f4f6;color:#1b1f23;font:16px/1.5 ${FONT}`}
      >
        <div
          class="card"
          style="max-width:560px;margin:0 auto;padding:28px 32px;background:#ffffff;border:1px solid #dde1e6;border-radius:8px;overflow-wrap:anywhere"
        >
          {props.children}
        </div>
        <p
          class="quiet"
          style="max-width:560px;margin:0 auto;padding:16px;font-size:13px;color:#5b646d;text-align:center"
        >
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
