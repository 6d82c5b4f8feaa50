import { emailDocument, textFooter } from './layout.js'
import { Heading, LinkButton, Paragraph } from './parts.js'

export interface NoticeEmail {
  siteName: string
  siteRoot: string
  /** Null for a message that cannot be unsubscribed from. */
  unsubscribeUrl: string | null
  title: string
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
        <Paragraph>{email.text}</Paragraph>
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
  const blocks = [email.title, email.text, email.url, answer, textFooter(email)]
  return blocks.filter(block => block).join('\n\n')
}
