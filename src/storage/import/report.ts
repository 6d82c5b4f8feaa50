import type { SourceTable } from '../../core/import/source-schema.js'

/** What an import found, added and could not carry over. */
export class ImportReport {
  readonly found: Partial<Record<SourceTable, number>> = {}
  readonly added: Record<string, number> = {}
  readonly notes: { subject: string; text: string }[] = []

  add(what: string, count = 1): void {
    this.added[what] = (this.added[what] ?? 0) + count
  }

  readonly note = (subject: string, text: string): void => {
    this.notes.push({ subject, text })
  }
}
