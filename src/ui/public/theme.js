// Runs before the first paint, so that a chosen theme does not flash. What it reads is written by app/shell/navigation.tsx.
{
  const chosen = localStorage.getItem("tributary.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
