import { emailDocument, textFooter } from './layout.js'
import { Heading, LinkButton, Paragraph } from './parts.js'

export interface NoticeEmail {
  siteName: string
  siteRoot: string
  /** Null for a message that cannot be unsubscribed from. */
  unsubscribeUrl: string | null
  title: string
  /** Above the list; empty or absent if there is nothing to say. */
  intro?: string
  /** The checks that it is about. */
  items?: readonly { label: string; url: string; text: string }[]
  text: string
  url: string
  status?: 'up' | 'down' | undefined
  /** The page on which the incidents are acknowledged; empty or absent if there is none. */
  acknowledgeUrl?: string
}

/** A notice as an HTML document. */
export function noticeHtml(email: NoticeEmail): string {
  return emailDocument({
    ...email,
    children: (
      <>
        <Heading status={email.status}>{email.title}</Heading>
        {email.intro && <Paragraph>{email.intro}</Paragraph>}
        {email.items && email.items.length > 0 && (
          <ul style="margin:16px 0;padding-left:20px">
            {email.items.map(item => (
              <li style="margin:4px 0">
                <a href={item.url} class="link" style="color:#0b57d0">
                  {item.label}
                </a>
                {`: ${item.text}`}
              </li>
            ))}
          </ul>
        )}
        {email.text && <Paragraph>{email.text}</Paragraph>}
        <LinkButton href={email.url}>{`Open ${email.siteName}`}</LinkButton>
        {email.acknowledgeUrl && (
          <Paragraph>
            <a href={email.acknowledgeUrl}>Acknowledge or snooze</a>
          </Paragraph>
        )}
      </>
    ),
  })
}

/** A notice as plain text. */
export function noticePlain(email: NoticeEmail): string {
  const answer = email.acknowledgeUrl && `Acknowledge or snooze: ${email.acknowledgeUrl}`
  const items = (email.items ?? []).map(item => `- ${item.label}: ${item.text}\n  ${item.url}`).join('\n')
  const blocks = [email.title, email.intro, items, email.text, email.url, answer, textFooter(email)]
  return blocks.filter(block => block).join('\n\n')
}
