interface ButtonProps {
  text: string
  label?: string
}

/** A button that copies a text. It is visible only if a script can copy. */
function CopyButton({ text, label = 'Copy' }: ButtonProps) {
  return (
    <button type="button" class="button button-plain button-small copy" data-copy={text} hidden>
      {label}
    </button>
  )
}

/** A text to copy, on one line that scrolls if it is long. */
export function CopyLine({ text, label }: { text: string; label?: string }) {
  return (
    <div class="copy-line">
      <code tabindex={0}>{text}</code>
      <CopyButton text={text} {...(label === undefined ? {} : { label: `Copy ${label}` })} />
    </div>
  )
}

/** Several lines of code to copy. */
export function CopyBlock({ text }: { text: string }) {
  return (
    <div class="copy-block">
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  )
}
