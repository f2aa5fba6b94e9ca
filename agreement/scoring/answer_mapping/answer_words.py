"""The words by which models commit to an answer, decline one or deny one; several languages, none of them complete."""

from __future__ import annotations

import re

# "Final answer: B", "Answer: B", "정답: C": what stands behind is the answer.
_FINAL = (
    r"final answer|final label|final choice|endgültige antwort|réponse finale|respuesta final|resposta final"
    r"|risposta finale|окончательный ответ|最终答案|最終回答|最終的な答え|최종 답|최종 정답"
)
_ANSWER = (
    r"(?:correct |right |best |my |the )*(?:answer|label|choice|option|rating|score|conclusion|verdict|judg(?:e)?ment)"
    r"|(?:richtige )?antwort|(?:bonne )?réponse|respuesta(?: correcta)?|resposta(?: correta)?|risposta|antwoord"
    r"|odpowiedź|ответ|答案|回答|答え|正解|정답|답변|답|الإجابة|الجواب|उत्तर|cevap|yanıt|svar|vastaus"
)
_IS = r"is|are|was|would be|should be|must be|ist|est|es|é|è|är|on|это|是|为|為|は|은|는"
_MARKS = r"[\s*_`]*"

# The first that has a match decides; of several matches of one the last counts. Each captures the rest of the line.
COMMITTED = (
    re.compile(rf"(?:{_FINAL}){_MARKS}(?:(?:{_IS})(?=[\s:：]|$)|[:：=])+(?P<answer>.+)", re.IGNORECASE),
    re.compile(rf"(?<!\w)(?:{_ANSWER}){_MARKS}[:：=](?P<answer>.+)", re.IGNORECASE),
    re.compile(rf"(?<!\w)(?:{_ANSWER})(?:[ ](?:to|for|of|in)[ ][^.,;:?!\n]{{1,60}})?[ ](?:{_IS})[ :：](?P<answer>.+)",
               re.IGNORECASE),
    re.compile(r"(?:答案|回答|答え|正解)(?:是|为|為|は)(?P<answer>.+)"),
    re.compile(r"\\boxed\s*\{(?P<answer>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}"),
    re.compile(r"(?:choose|chose|select|pick|go with|is)[ ](?:option|choice)[ ](?P<answer>.+)", re.IGNORECASE),
)  # fmt: skip

# What a model says that declines. It counts only where no label is named beside it.
DECLINED = re.compile(
    r"\b(?:i(?:['’]m| am) (?:sorry|unable|not able|afraid)|i (?:can(?:['’]?t|not| not)|could(?:n['’]t| not)"
    r"|won['’]t|will not|do(?:n['’]t| not)|am unable to|must|have to) (?:\w+ )?(?:answer|help|assist|comply|provide"
    r"|determine|see|view|say|tell|choose|pick|give|know|have|decline|refuse|rate|judge|respond|identify|make)"
    r"|(?:as|being) an? (?:ai|artificial|large|language)|unable to (?:answer|determine|help|assist|provide|comply)"
    r"|cannot (?:answer|be answered|be determined|help|assist|provide|comply)|(?:i )?(?:decline|refuse) to"
    r"|no puedo|não posso|non posso|je ne peux pas|je ne suis pas en mesure"
    r"|ich kann (?:\w+ )*nicht|ik kan (?:\w+ )*niet"
    r"|tut mir leid|désolé|lo siento)|не могу|无法|不能回答|抱歉|できません|할 수 없",
    re.IGNORECASE,
)

# Beside one of these, a label that is merely named is not an answer.
DENIED = re.compile(
    r"\b(?:not|no|never|neither|nor|none|without|except|hardly|unlikely|instead of|rather than|other than|wrong"
    r"|incorrect|false|eliminat\w+|exclud\w+|rul(?:e|ed|es|ing) out|cannot|nicht|kein\w*|weder|pas|non|ni|não|nem|nie"
    r"|niet|geen)\b"
    r"|\bне\b|\w+n['’]t\b|不|没|非|ない|ません|아니|않",
    re.IGNORECASE,
)

# Directly before or behind a label these name a second thing.
JOINED = r"(?:\b(?:or|and|oder|und|ou|et|o|y|e|of|en)\b|[/&或和と])"

# The parts of a reply in which a model thinks. What follows the last end is the reply.
THINKING_ENDS = re.compile(
    r"</(?:think|thinking|reasoning|thought)>|<\|channel\|>final(?:<\|message\|>)?", re.IGNORECASE
)
THINKING_BEGINS = re.compile(r"<(?:think|thinking|reasoning|thought)>|<\|channel\|>analysis", re.IGNORECASE)

# How services say why a reply ended.
TRUNCATED = frozenset(
    {"length", "max_tokens", "model_length", "max_output_tokens", "incomplete", "max_new_tokens", "token_limit"}
)
DECLINED_BY_STATUS = frozenset({"content_filter", "refusal", "safety", "blocked", "recitation", "prohibited_content"})

KEYS = ("answer", "final_answer", "label", "choice", "rating", "option", "prediction", "category", "score", "value")
