/** What a mail server says of a message that it could not deliver. Source: RFC 3464. */
export interface DeliveryReport {
  /** The enhanced status code, such as 5.1.1; empty where there is none. */
  status: string
  /** The receiving server's words, without the name of its protocol; may be empty. */
  diagnostic: string
}

/** The report in the text of an e-mail that carries one. */
export function readDeliveryReport(text: string): DeliveryReport {
  // People may quote such lines before it.
  const start = Math.max(0, text.search(/^Reporting-MTA:/im))
  const fields = text.slice(start).replace(/\r?\n[ \t]+/g, ' ')
  const status = /^Status:\s*(\d\.\d{1,3}\.\d{1,3})\b/im.exec(fields)?.[1] ?? ''
  const diagnostic = /^Diagnostic-Code:[ \t]*(.*)$/im.exec(fields)?.[1] ?? ''
  return { status, diagnostic: diagnostic.replace(/^smtp\s*;\s*/i, '').trim() }
}

/** Whether the message is lost, `later` (it may still arrive), or `no` report of either. */
export function failureOf({ status }: DeliveryReport): 'permanent' | 'later' | 'no' {
  // 5.4.4, unable to route, is mostly a fault of our own side that passes.
  if (status.startsWith('5.')) return status === '5.4.4' ? 'later' : 'permanent'
  return status.startsWith('4.') ? 'later' : 'no'
}

/** The report as an error of the channel. */
export function reportWords({ status, diagnostic }: DeliveryReport): string {
  return `Delivery failed (${diagnostic || `SMTP status code: ${status}`})`
}
