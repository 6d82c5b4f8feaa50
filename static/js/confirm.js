// Asks for confirmation before certain forms are sent.
document.addEventListener('submit', event => {
  const question = event.target.dataset.confirm
  if (question && !window.confirm(question)) event.preventDefault()
})
