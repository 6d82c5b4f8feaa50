import { emailDocument, textFooter } from './layout.js'

export interface AlertEmail {
  siteName: string
  siteRoot: string
  unsubscribeUrl: string
  status: 'up' | 'down'
  headline: string
  /** The reason or the downtime; may be empty. */
  cause: string
  notes: readonly string[]
  checkUrl: string
  description: string
  facts: readonly { label: string; value: string }[]
  /** The last ping's body with a line about it; null where there is none. */
  output: { text: string; note: string } | null
  others: { text: string; items: readonly string[] } | null
}

/** The alert as an HTML document. */
export function alertHtml(email: AlertEmail): string {
  const colour = email.status === 'down' ? '#b42318' : '#1a7f45'
  return emailDocument({
    ...email,
    title: email.headline,
    children: (
      <>
        <h1
          class={email.status}
          style={`margin:0;padding-left:12px;border-left:4px solid ${colour};color:${colour};font-size:20px`}
        >
          {email.headline}
        </h1>
        {email.cause && <p style="margin:16px 0">{email.cause}</p>}
        {email.notes.map(note => (
          <p style="margin:16px 0">{note}</p>
        ))}
        <p style="margin:16px 0">
          <a href={email.checkUrl} class="link" style="color:#0b57d0">
            View the check
          </a>
        </p>
        {email.description && <p style="margin:16px 0;white-space:pre-wrap">{email.description}</p>}
        <table role="presentation" cellspacing="0" cellpadding="0" style="margin:16px 0;font-size:15px">
          {email.facts.map(({ label, value }) => (
            <tr>
              <td class="quiet" style="padding:2px 16px 2px 0;vertical-align:top;color:#5b646d">
                {label}
              </td>
              <td style="padding:2px 0;vertical-align:top;white-space:pre-wrap">{value}</td>
            </tr>
          ))}
        </table>
        {email.output && (
          <>
            <p style="margin:16px 0 4px">Last ping body</p>
            {email.output.note && (
              <p class="quiet" style="margin:4px 0;font-size:13px;color:#5b646d">
                {email.output.note}
              </p>
            )}
            {email.output.text && (
              <pre
                class="output"
                style="margin:4px 0 16px;padding:12px;background:#f2f4f6;color:#1b1f23;font-size:13px;white-space:pre-wrap"
              >
                {email.output.text}
              </pre>
            )}
          </>
        )}
        {email.others && <p style="margin:16px 0 4px">{email.others.text}</p>}
        {email.others && email.others.items.length > 0 && (
          <ul style="margin:4px 0;padding-left:20px">
            {email.others.items.map(item => (
              <li>{item}</li>
            ))}
          </ul>
        )}
      </>
    ),
  })
}

/** The alert as plain text. */
export function alertPlain(email: AlertEmail): string {
  const { output, others } = email
  const blocks = [
    [`${email.headline}.`, email.cause].filter(line => line !== '').join('\n'),
    ...email.notes,
    email.checkUrl,
    email.description,
    email.facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    output && ['Last ping body:', output.note, output.text].filter(line => line !== '').join('\n'),
    others && [others.text, ...others.items.map(item => `- ${item}`)].join('\n'),
    textFooter(email),
  ]
  return blocks.filter(block => block).join('\n\n')
}
