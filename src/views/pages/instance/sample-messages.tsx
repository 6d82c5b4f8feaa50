import { raw } from 'hono/html'

const SHEET = `
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
body { margin: 16px; }
section > div { display: flex; gap: 12px; overflow-x: auto; padding-bottom: 12px; }
article { flex: 0 0 26rem; border: 1px solid #8886; border-radius: 6px; padding: 8px 12px; }
h2 { margin: 24px 0 8px; }
h3 { margin: 0 0 8px; font-size: 13px; opacity: .7; }
pre { margin: 0; font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow-y: auto; }
`

interface Props {
  label: string
  messages: readonly { situation: string; text: string }[]
}

/** The messages of all kinds as a document of its own: a row for each kind, a column for each situation. */
export function sampleMessagesPage(kinds: readonly Props[]): string {
  return `<!doctype html>\n${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Messages</title>
        <style>{raw(SHEET)}</style>
      </head>
      <body>
        <h1>Messages of every kind</h1>
        {kinds.map(({ label, messages }) => (
          <section>
            <h2>{label}</h2>
            <div>
              {messages.map(({ situation, text }) => (
                <article>
                  <h3>{situation}</h3>
                  <pre>{text}</pre>
                </article>
              ))}
            </div>
          </section>
        ))}
      </body>
    </html>
  )}\n`
}
