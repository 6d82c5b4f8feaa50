/** The parts of e-mails; see layout.tsx for the classes. */
import type { Child } from 'hono/jsx'

/** The first line, in the colour of a status if it is about one. */
export function Heading({ status, children }: { status?: 'up' | 'down' | undefined; children: Child }) {
  if (!status) return <h1 style="margin:0;font-size:21px;line-height:1.3">{children}</h1>
  const colour = status === 'down' ? '#b42318' : '#1a7f45'
  return (
    <h1
      class={status}
      style={`margin:0;padding-left:12px;border-left:4px solid ${colour};color:${colour};font-size:21px;line-height:1.3`}
    >
      {children}
    </h1>
  )
}

export function Paragraph({ quiet = false, children }: { quiet?: boolean; children: Child }) {
  if (!quiet) return <p style="margin:16px 0;white-space:pre-wrap">{children}</p>
  return (
    <p class="quiet" style="margin:16px 0 0;font-size:14px;color:#5b646d">
      {children}
    </p>
  )
}

/** The main link of the e-mail. */
export function LinkButton({ href, children }: { href: string; children: Child }) {
  return (
    <p style="margin:20px 0">
      <a
        href={href}
        class="button"
        style="display:inline-block;padding:9px 18px;border-radius:6px;background:#0b57d0;color:#ffffff;font-weight:600;text-decoration:none"
      >
        {children}
      </a>
    </p>
  )
}

/** A heading inside the message. */
export function Section({ children }: { children: Child }) {
  return <h2 style="margin:24px 0 6px;font-size:15px">{children}</h2>
}

interface PairsProps {
  rows: readonly { label: string; value: Child }[]
  /** Whether the names are longer than the values. */
  longNames?: boolean
}

/** Pairs of a name and a value. */
export function Pairs({ rows, longNames = false }: PairsProps) {
  return (
    <table
      role="presentation"
      cellspacing="0"
      cellpadding="0"
      width="100%"
      style="margin:16px 0;border-collapse:collapse;font-size:15px"
    >
      {rows.map(({ label, value }) => (
        <tr>
          <td
            class="quiet line"
            width={longNames ? '62%' : '36%'}
            style="padding:5px 16px 5px 0;vertical-align:top;border-top:1px solid #e8ebee;color:#5b646d"
          >
            {label}
          </td>
          <td
            class="line"
            style="padding:5px 0;vertical-align:top;border-top:1px solid #e8ebee;white-space:pre-wrap"
          >
            {value}
          </td>
        </tr>
      ))}
    </table>
  )
}
