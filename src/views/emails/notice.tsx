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
      </>
    ),
  })
}

/** A notice as plain text. */
export function noticePlain(email: NoticeEmail): string {
  return [email.title, email.text, email.url, textFooter(email)].join('\n\n')
}
