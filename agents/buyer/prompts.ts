import type { PromptKind } from "../../tools/surface/prompts.ts";

export const buyerPrompts: readonly PromptKind[] = [
  {
    name: "plan_campaign",
    title: "Plan a campaign",
    description: "Turns a brief into recommendations of all sellers and books what is approved.",
    operatorsOnly: true,
    arguments: [
      { name: "budget", description: "What to spend in USD.", required: true },
      { name: "period", description: "When, for example March 2027.", required: true },
      { name: "goal", description: "Objectives, audience and channels.", required: true },
    ],
    lines: [
      "Plan a campaign. Budget: {budget}. Period: {period}. Goal: {goal}.",
      "1. Call create_booking with the brief and auto_approve false.",
      "2. Follow get_booking until it waits for approval; show its recommendations, totals and warnings.",
      "3. Ask which to book. Call approve_booking for those alone, with keep_rest true where the user is undecided.",
      "4. Show the booked lines with price, dates and total, and what is left of the budget.",
    ],
  },
  {
    name: "weekly_review",
    title: "What happened this week",
    description: "Sums up the campaigns, deals and problems of the last seven days.",
    operatorsOnly: true,
    arguments: [],
    lines: [
      "Read list_bookings, list_deals and list_events of the last seven days.",
      "Answer in ten lines: booked (lines, value), waiting, failed and why, silent sellers, what to do next.",
    ],
  },
];
