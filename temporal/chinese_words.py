"""The words of Chinese time expressions, as patterns over simplified characters."""

from __future__ import annotations

import re
from typing import Final

from . import holidays
from .grains import Grain
from .holidays import Rule
from .lunar import lunar_day, new_years_eve, qingming

_TRADITIONAL: Final = (
    "個个週周尋寻晝昼聽听禮礼號号點点鐘钟鍾钟後后兩两這这現现時时間间節节歲岁從从開开來来為为爲为過过聖圣誕诞國国慶庆勞劳動动婦妇兒儿"
    "陽阳曆历農农舊旧當当內内於于裡里裏里幾几數数關关結结歷历復复親亲師师萬万貳贰還还離离邊边樂乐頭头緊紧級级較较"
    "復复東东燈灯華华軍军記记紀纪國国際际靈灵聯联愛爱臘腊閏闰醫医護护學学術术節节餘余臺台會会濟济達达終终種种覺觉"
)
_SIMPLE: Final = dict(zip(_TRADITIONAL[::2], _TRADITIONAL[1::2], strict=True))
_WIDE: Final = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)} | {"\u3000": " "}
_TABLE: Final = str.maketrans(_SIMPLE | _WIDE)


def simplified(text: str) -> str:
    """The same length, so that offsets hold: traditional characters of time words and full-width forms."""
    return text.translate(_TABLE)


DIGITS: Final = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "○": 0}
NUMBER: Final = r"(?:\d+(?:\.\d+)?|[零〇一二三四五六七八九十百两廿卅]+)"
MAY_HOLD_TIME: Final = re.compile(
    r"\d|[年月日号天周期点时分秒節节誕诞昨今明前后後現现春夏秋冬季晚早午夜歲岁世而尋寻听聽旬旦夕国國重清除腊臘端元圣聖黑感]|[週禮礼號點時]"
)

UNITS: Final = {
    "秒钟": Grain.SECOND,
    "秒": Grain.SECOND,
    "分钟": Grain.MINUTE,
    "分": Grain.MINUTE,
    "小时": Grain.HOUR,
    "钟头": Grain.HOUR,
    "钟": Grain.HOUR,
    "日": Grain.DAY,
    "天": Grain.DAY,
    "晚": Grain.DAY,
    "周": Grain.WEEK,
    "星期": Grain.WEEK,
    "礼拜": Grain.WEEK,
    "月": Grain.MONTH,
    "季度": Grain.QUARTER,
    "季": Grain.QUARTER,
    "年": Grain.YEAR,
    "世纪": Grain.CENTURY,
}
UNIT: Final = r"(?:" + "|".join(UNITS) + r")"
COUNT: Final = rf"(?P<count>{NUMBER}|半)\s*(?P<half>个半)?(?:个|多)?\s*(?P<unit>{UNIT})(?P<more>半)?"

DAYS_AWAY: Final = {
    "大前": -3, "前": -2, "昨": -1, "寻": -1, "琴": -1, "今": 0, "本": 0,
    "明": 1, "听": 1, "翌": 1, "后": 2, "大后": 3,
}  # fmt: skip
YEARS_AWAY: Final = {
    "大前": -3,
    "前": -2,
    "去": -1,
    "上": -1,
    "今": 0,
    "本": 0,
    "这": 0,
    "明": 1,
    "下": 1,
    "后": 2,
}
WEEKDAYS: Final = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
SEASONS: Final = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
EDGES: Final = {"初": 0, "头": 0, "中": 1, "底": 2, "末": 2, "尾": 2}

DAY_PARTS: Final = {
    "凌晨": (0.0, 6.0),
    "清晨": (4.0, 8.0),
    "清早": (4.0, 8.0),
    "大早上": (8.0, 12.0),
    "早上": (8.0, 12.0),
    "早晨": (8.0, 12.0),
    "早间": (8.0, 12.0),
    "朝早": (8.0, 12.0),
    "朝头早": (8.0, 12.0),
    "上午": (8.0, 12.0),
    "上昼": (8.0, 12.0),
    "早": (8.0, 12.0),
    "晨": (4.0, 8.0),
    "中午": (11.0, 13.0),
    "正午": (12.0, 12.0),
    "下午": (12.0, 16.0),
    "下昼": (12.0, 16.0),
    "晏昼": (12.0, 16.0),
    "午后": (12.0, 16.0),
    "傍晚": (16.0, 20.0),
    "晚上": (16.0, 20.0),
    "晚间": (16.0, 20.0),
    "晚": (16.0, 20.0),
    "夜晚": (20.0, 24.0),
    "夜里": (20.0, 24.0),
    "夜间": (20.0, 24.0),
    "深夜": (20.0, 24.0),
    "半夜": (0.0, 4.0),
    "午夜": (0.0, 0.0),
}
PART: Final = r"(?P<part>" + "|".join(sorted(DAY_PARTS, key=len, reverse=True)) + r")"

FEASTS: Final[dict[str, Rule]] = {
    "元旦": holidays.NEW_YEAR,
    "阳历新年": holidays.NEW_YEAR,
    "新年": holidays.NEW_YEAR,
    "情人节": holidays.VALENTINE,
    "妇女节": holidays.WOMENS_DAY,
    "三八节": holidays.WOMENS_DAY,
    "植树节": holidays.fixed(3, 12),
    "愚人节": holidays.FOOLS_DAY,
    "清明节": qingming,
    "清明": qingming,
    "劳动节": holidays.LABOUR_DAY,
    "五一节": holidays.LABOUR_DAY,
    "五一": holidays.LABOUR_DAY,
    "青年节": holidays.fixed(5, 4),
    "母亲节": holidays.MOTHERS_DAY,
    "儿童节": holidays.CHILDRENS_DAY,
    "六一": holidays.CHILDRENS_DAY,
    "父亲节": holidays.FATHERS_DAY,
    "建党节": holidays.fixed(7, 1),
    "建军节": holidays.fixed(8, 1),
    "教师节": holidays.fixed(9, 10),
    "国庆节": holidays.fixed(10, 1),
    "国庆": holidays.fixed(10, 1),
    "十一": holidays.fixed(10, 1),
    "万圣节": holidays.HALLOWEEN,
    "万圣夜": holidays.HALLOWEEN,
    "双十一": holidays.fixed(11, 11),
    "光棍节": holidays.fixed(11, 11),
    "感恩节": holidays.THANKSGIVING,
    "黑色星期五": holidays.BLACK_FRIDAY,
    "黑五": holidays.BLACK_FRIDAY,
    "平安夜": holidays.CHRISTMAS_EVE,
    "圣诞夜": holidays.CHRISTMAS_EVE,
    "圣诞节": holidays.CHRISTMAS,
    "圣诞": holidays.CHRISTMAS,
    "节礼日": holidays.fixed(12, 26),
    "元旦前夜": holidays.NEW_YEARS_EVE,
    "跨年夜": holidays.NEW_YEARS_EVE,
    "复活节": holidays.easter,
    "复活节星期一": holidays.EASTER_MONDAY,
    "耶稣受难日": holidays.GOOD_FRIDAY,
    "受难日": holidays.GOOD_FRIDAY,
    "棕枝主日": holidays.PALM_SUNDAY,
    "圣灰星期三": holidays.ASH_WEDNESDAY,
    "圣灵降临日": holidays.PENTECOST,
    "世界地球日": holidays.fixed(4, 22),
    "地球日": holidays.fixed(4, 22),
    "护士节": holidays.fixed(5, 12),
    "春节": lunar_day(1, 1),
    "大年初一": lunar_day(1, 1),
    "农历新年": lunar_day(1, 1),
    "新春": lunar_day(1, 1),
    "除夕": new_years_eve,
    "大年三十": new_years_eve,
    "元宵节": lunar_day(1, 15),
    "元宵": lunar_day(1, 15),
    "端午节": lunar_day(5, 5),
    "端午": lunar_day(5, 5),
    "七夕节": lunar_day(7, 7),
    "七夕": lunar_day(7, 7),
    "中元节": lunar_day(7, 15),
    "中秋节": lunar_day(8, 15),
    "中秋": lunar_day(8, 15),
    "重阳节": lunar_day(9, 9),
    "重阳": lunar_day(9, 9),
    "腊八节": lunar_day(12, 8),
    "腊八": lunar_day(12, 8),
}
FEAST: Final = r"(?P<feast>" + "|".join(sorted(FEASTS, key=len, reverse=True)) + r")(?!大学|医院|路|街|公司)"


def number_of(text: str) -> float | None:
    """12, 2.5, 十二, 二十, 廿三, 一百零五, 二零一八; None for what is no number."""
    if re.fullmatch(r"\d+(?:\.\d+)?", text, re.ASCII):
        return float(text)
    if text == "半":
        return 0.5
    if all(char in DIGITS for char in text) and text:
        return float("".join(str(DIGITS[char]) for char in text))
    text = text.replace("廿", "二十").replace("卅", "三十").lstrip("零〇")
    match = re.fullmatch(
        r"(?:([一二三四五六七八九两])百)?[零〇]?(?:([一二三四五六七八九])?(十))?([一二三四五六七八九])?", text
    )
    if match is None or not text:
        return None
    hundreds, tens, ten, ones = match.groups()
    total = DIGITS[hundreds] * 100 if hundreds else 0
    total += (DIGITS[tens] if tens else 1) * 10 if ten else 0
    return float(total + (DIGITS[ones] if ones else 0))
