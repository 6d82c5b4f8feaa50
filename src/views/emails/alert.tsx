import { emailDocument, textFooter } from './layout.js'
import { Heading, LinkButton, Pairs, Paragraph, Section } from './parts.js'

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
  /** Empty if there is nothing to acknowledge. */
  acknowledgeUrl: string
  description: string
  facts: readonly { label: string; value: string }[]
  /** The last ping's body with a line about it, and the address of the whole if it was cut; null if there is none. */
  output: { text: string; note: string; url: string } | null
  others: { text: string; items: readonly string[] } | null
}

/** The alert as an HTML document. */
export function alertHtml(email: AlertEmail): string {
  return emailDocument({
    ...email,
    title: email.headline,
    children: (
      <>
        <Heading status={email.status}>{email.headline}</Heading>
        {email.cause && <Paragraph>{email.cause}</Paragraph>}
        {email.notes.map(note => (
          <Paragraph>{note}</Paragraph>
        ))}
        <LinkButton href={email.checkUrl}>View the check</LinkButton>
        {email.acknowledgeUrl && (
          <Paragraph>
            <a href={email.acknowledgeUrl}>Acknowledge or snooze</a>
          </Paragraph>
        )}
        {email.description && <Paragraph>{email.description}</Paragraph>}
        <Pairs rows={email.facts} />
        {email.output && <Output {...email.output} />}
        {email.others && <Section>{email.others.text}</Section>}
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

function Output({ text, note, url }: NonNullable<AlertEmail['output']>) {
  return (
    <>
      <Section>Last ping body</Section>
      {note && (
        <p class="quiet" style="margin:4px 0;font-size:14px;color:#5b646d">
          {note}{' '}
          {url && (
            <a href={url} class="quiet" style="color:#5b646d">
              Show all of it
            </a>
          )}
        </p>
      )}
      {text && (
        <pre
          class="output"
          style="margin:4px 0 16px;padding:12px;border:1px solid #dde1e6;border-radius:6px;background:#f6f7f9;color:#1b1f23;font-size:13px;white-space:pre-wrap"
        >
          {text}
        </pre>
      )}
    </>
  )
}

/** The alert as plain text. */
export function alertPlain(email: AlertEmail): string {
  const { output, others } = email
  const blocks = [
    [`${email.headline}.`, email.cause].filter(line => line !== '').join('\n'),
    ...email.notes,
    email.checkUrl,
    email.acknowledgeUrl && `Acknowledge or snooze: ${email.acknowledgeUrl}`,
    email.description,
    email.facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    output &&
      ['Last ping body:', `${output.note} ${output.url && `All of it: ${output.url}`}`.trim(), output.text]
        .filter(line => line !== '')
        .join('\n'),
    others && [others.text, ...others.items.map(item => `- ${item}`)].join('\n'),
    textFooter(email),
  ]
  return blocks.filter(block => block).join('\n\n')
}
