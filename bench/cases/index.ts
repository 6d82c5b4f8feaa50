import type { Case } from '../case.js'
import { pingClosing } from './ping-closing.js'
import { pingGet } from './ping-get.js'
import { pingPost } from './ping-post.js'
import { pingSlug } from './ping-slug.js'

/** Every case, in the order in which they are measured. */
export const cases: readonly Case[] = [pingGet, pingPost, pingSlug, pingClosing]
