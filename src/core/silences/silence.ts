/** A silence: a time, once or again and again, in which alerts are held. Decision 0115. */

/** `expect_nothing`: in that time no occurrence of a check is required, either. */
export type SilenceMode = 'hold' | 'expect_nothing'
