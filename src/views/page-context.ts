/** What every page is told besides its own subject. */
import { may, type Role } from '../core/people/role.js'
import type { Theme } from '../core/people/theme.js'

/** A sentence shown once, after an action. */
export interface FlashMessage {
  kind: 'good' | 'bad'
  text: string
}

export interface PageContext {
  /** Who reads; null for somebody who is not signed in. */
  user: { email: string; timezone: string; theme: Theme } | null
  /** The project that the page belongs to; `warning`: what is wrong with its channels. */
  project: { uuid: string; name: string; role: Role; warning: string | null } | null
  /** What the reader may switch to. */
  projects: readonly { uuid: string; name: string; down: number }[]
  /** The path part of SITE_ROOT without a trailing slash; empty for none. Every link begins with it. */
  base: string
  siteName: string
  /** Goes along with every form. */
  csrf: string
  /** The instant that relative times count from, in milliseconds. */
  now: number
  /** How many checks are down: of the project, or of all projects on pages of no project. */
  problems: number
  flash: FlashMessage | null
}

/** The address of a page of this site: `path` begins with a slash and counts from SITE_ROOT. */
export function link(page: Pick<PageContext, 'base'>, path: string): string {
  return page.base + path
}

/** Whether the reader may change things in the project of the page. */
export function mayWrite(page: Pick<PageContext, 'project'>): boolean {
  return page.project !== null && may(page.project.role, 'write')
}

/** The zone in which the reader is told times. */
export function zoneOf(page: Pick<PageContext, 'user'>): string {
  return page.user?.timezone ?? 'UTC'
}
