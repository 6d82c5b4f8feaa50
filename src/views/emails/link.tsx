import { emailDocument, textFooter } from './layout.js'

/** A message around one link. */
export interface LinkEmail {
  siteName: string
  siteRoot: string
  title: string
  text: string
  /** What is written on the link. */
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
        <h1 style="margin:0;font-size:20px">{email.title}</h1>
        <p style="margin:16px 0">{email.text}</p>
        <p style="margin:16px 0">
          <a href={email.url} class="link" style="color:#0b57d0;font-weight:bold">
            {email.label}
          </a>
        </p>
        <p class="quiet" style="margin:16px 0;font-size:13px;color:#5b646d">
          {email.note}
        </p>
      </>
    ),
  })
}

/** The message as plain text. */
export function linkPlain(email: LinkEmail): string {
  const footer = textFooter({ ...email, unsubscribeUrl: null })
  return [email.title, email.text, email.url, email.note, footer].join('\n\n')
}
