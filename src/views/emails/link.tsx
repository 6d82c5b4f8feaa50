import { emailDocument, textFooter } from './layout.js'
import { Heading, LinkButton, Paragraph } from './parts.js'

/** A message with one link. */
export interface LinkEmail {
  siteName: string
  siteRoot: string
  title: string
  text: string
  /** The label of the link. */
  label: string
  url: string
  note: string
}

/** The message as an HTML document. */
export function linkHtml(email: LinkEmail): string {
  return emailDocument({
    ...email,
    unsubscribeUrl: null,
    children: (
      <>
        <Heading>{email.title}</Heading>
        <Paragraph>{email.text}</Paragraph>
        <LinkButton href={email.url}>{email.label}</LinkButton>
        <Paragraph quiet>{email.note}</Paragraph>
        <Paragraph quiet>
          Or copy this link:{' '}
          <a href={email.url} class="quiet" style="color:#5b646d">
            {email.url}
          </a>
        </Paragraph>
      </>
    ),
  })
}

/** The message as plain text. */
export function linkPlain(email: LinkEmail): string {
  const footer = textFooter({ ...email, unsubscribeUrl: null })
  return [email.title, email.text, email.url, email.note, footer].join('\n\n')
}
