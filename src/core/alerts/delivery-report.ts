/** A mail server's report about a message that it could not deliver. Source: RFC 3464. */
export interface DeliveryReport {
  /** The enhanced status code, such as 5.1.1; empty if there is none. */
  status: string
  /** The text of the receiving server, without the name of its protocol; may be empty. */
  diagnostic: string
}

/** Reads the report from the text of an e-mail. */
export function readDeliveryReport(text: string): DeliveryReport {
  // Quoted text before the report may contain similar lines.
  const start = Math.max(0, text.search(/^Reporting-MTA:/im))
  const fields = text.slice(start).replace(/\r?\n[ \t]+/g, ' ')
  const status = /^Status:\s*(\d\.\d{1,3}\.\d{1,3})\b/im.exec(fields)?.[1] ?? ''
  const diagnostic = /^Diagnostic-Code:[ \t]*(.*)$/im.exec(fields)?.[1] ?? ''
  return { status, diagnostic: diagnostic.replace(/^smtp\s*;\s*/i, '').trim() }
}

/**
 * Whether the failure is permanent, or temporary so that the message may still arrive (`later`);
 * `no`: neither was reported.
 */
export function failureOf({ status }: DeliveryReport): 'permanent' | 'later' | 'no' {
  // 5.4.4, unable to route, is usually a temporary fault on our side.
  if (status.startsWith('5.')) return status === '5.4.4' ? 'later' : 'permanent'
  return status.startsWith('4.') ? 'later' : 'no'
}

/** The report as an error message of the channel. */
export function reportWords({ status, diagnostic }: DeliveryReport): string {
  return `Delivery failed (${diagnostic || `SMTP status code: ${status}`})`
}
