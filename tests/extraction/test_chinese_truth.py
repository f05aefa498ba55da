"""What a Chinese sentence does not say, though it has the words: denials, attempts, and whom it is about."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

DENIED = {
    "我对花生不过敏，对虾过敏。": ["liang ALLERGIC_TO 花生: denial ~", "liang ALLERGIC_TO 虾: observation ~"],
    "我對花生不過敏。": ["liang ALLERGIC_TO 花生: denial ~"],
    "我对牛奶不过敏了。": ["liang ALLERGIC_TO 牛奶: end ~"],
    "我不是对花生过敏，是对腰果过敏。": [
        "liang ALLERGIC_TO 花生: denial ~",
        "liang ALLERGIC_TO 腰果: observation ~",
    ],
    "王磊不会说粤语。": ['王磊 SPEAKS "粤语": denial ~'],
    "我不会搬到上海。": ["liang LIVES_IN 上海: denial ~"],
    "我不是住在浦东。": ["liang LIVES_IN 浦东: denial ~"],
    "我不是在腾讯工作，是在阿里工作。": ["liang WORKS_AT 腾讯: denial ~", "liang WORKS_AT 阿里: observation ~"],
    "我不是老师，是医生。": ['liang HAS_ROLE "老师": denial ~', 'liang HAS_ROLE "医生": observation ~'],
    "我并不是很喜欢咖啡。": ["liang LIKES 咖啡: denial ~"],
    "我不是不喜欢咖啡。": ["liang DISLIKES 咖啡: denial ~"],
    "我的狗不叫旺财，叫豆豆。": ["liang HAS_PET 旺财: denial ~", "liang HAS_PET 豆豆: observation ~"],
    "我老婆不是李静。": ["liang SPOUSE_OF 李静: denial ~"],
    "我不是只喜欢咖啡。": [],
    "我不仅喜欢咖啡，还喜欢茶。": ["liang LIKES 咖啡: observation ~", "liang LIKES 茶: observation ~"],
    "我还没有加入华为。": ["liang WORKS_AT 华为: denial"],
    "我一点也不喜欢咖啡。": ["liang DISLIKES 咖啡: observation ~"],
    "我对花生不太过敏。": ["liang ALLERGIC_TO 花生: denial ~"],
    "我不算对花生过敏。": ["liang ALLERGIC_TO 花生: denial ~"],
    "我没告诉他王磊住在北京。": ["王磊 LIVES_IN 北京: observation ~"],
}
UNREAL = {
    "王磊拒绝加入华为。": [],
    "我不用加入华为了。": [],
    "我不必搬到上海了。": [],
    "王磊未能加入华为。": [],
    "王磊试图加入华为。": [],
    "我申请加入华为。": [],
    "我被邀请加入华为。": [],
    "我有机会加入华为。": [],
    "我劝小王加入华为。": [],
    "我曾想过搬到上海。": [],
    "我曾想过当老师。": [],
    "我以为王磊住在北京。": [],
    "王磊假装住在北京。": [],
    "我梦见我住在巴黎。": [],
    "我担心得糖尿病。": [],
    "我容易得胃炎。": [],
    "要不是孩子，我就搬到上海了。": [],
    "我答应加入华为。": ["liang WORKS_AT 华为: dated_beginning ~ (planned)"],
    "我同意搬到上海。": ["liang LIVES_IN 上海: dated_beginning ~ (planned)"],
    "医生怀疑我得了糖尿病。": [],
    "公司要求我搬到上海。": [],
    "王磊叫我加入华为。": [],
    "我舍不得离开北京。": [],
    "我小时候想当老师。": [],
    "我不得不离开北京。": ["liang LIVES_IN 北京: end ~"],
    "我准备离职加入华为。": ["liang WORKS_AT 华为: dated_beginning ~ (planned)"],
    "我希望加入华为。": ["liang WORKS_AT 华为: dated_beginning ~ (hoped)"],
    "王磊否认加入华为。": [],
    "王磊加入华为是假的。": [],
    "我若加入华为，工资会翻倍。": [],
    "我住在北京或上海。": [],
    "我要么加入华为，要么加入腾讯。": [],
    "在梦里我住在巴黎。": [],
    "我叫了王磊。": [],
    "我怕冷搬到了海南。": ["liang LIVES_IN 海南: dated_beginning ~"],
    "我放弃了北京的工作搬到上海。": ["liang LIVES_IN 上海: dated_beginning ~"],
    "我没能加入腾讯，加入了华为。": ["liang WORKS_AT 华为: dated_beginning ~"],
}
OTHERS = {
    "我有个妹妹在上海当老师。": [
        "liang SIBLING_OF liang的妹妹: observation ~",
        'liang的妹妹 HAS_ROLE "老师": observation ~',
    ],
    "我有个朋友住在上海。": [],
    "我有个朋友，住在上海。": [],
    "我认识一个人在谷歌工作。": [],
    "我请了一个保姆，住在浦东。": [],
    "我有个大学同学去年加入了华为。": [],
    "我喜欢的人在华为工作。": [],
    "我教的学生在谷歌工作。": [],
    "我在腾讯工作的表弟叫李明。": [],
    "我是在腾讯工作的程序员。": ['liang HAS_ROLE "程序员": observation ~', "liang WORKS_AT 腾讯: observation ~"],
    "我有个哥哥在谷歌工作，我在腾讯工作。": [
        "liang SIBLING_OF liang的哥哥: observation ~",
        "liang的哥哥 WORKS_AT 谷歌: observation ~",
        "liang WORKS_AT 腾讯: observation ~",
    ],
    "我陪老婆搬到上海了。": ["liang LIVES_IN 上海: dated_beginning ~"],
    "我有一只猫，喜欢吃鱼。": [],
    "我认识李明，在腾讯工作。": [],
    "我认识李明，他在腾讯工作。": ["李明 WORKS_AT 腾讯: observation ~"],
    "我和老婆住在上海。": ["liang LIVES_IN 上海: observation ~"],
    "张伟跟着刘芳加入了小米。": ["张伟 WORKS_AT 小米: dated_beginning ~"],
    "王磊接替了李静担任财务总监。": [
        '王磊 HAS_ROLE "财务总监": dated_beginning ~',
        '李静 HAS_ROLE "财务总监": end ~',
    ],
}
NAMES = {
    "我养了两只猫，一只叫小黑，一只叫小白。": [
        'liang HAS_COUNT "2只猫": observation ~',
        "liang HAS_PET 小黑: observation ~",
        "liang HAS_PET 小白: observation ~",
    ],
    "我领养了一只狗，取名叫豆豆。": ["liang HAS_PET 豆豆: observation ~"],
    "我有男朋友了，叫李浩。": ["liang PARTNER_OF 李浩: observation ~"],
    "我有两个孩子，大的叫小明，小的叫小红。": [
        'liang HAS_COUNT "2个孩子": observation ~',
        "liang PARENT_OF 小明: observation ~",
        "liang PARENT_OF 小红: observation ~",
    ],
    "我有一个儿子，叫小明，在百度工作。": [
        'liang HAS_COUNT "1个儿子": observation ~',
        "liang PARENT_OF 小明: observation ~",
        "小明 WORKS_AT 百度: observation ~",
    ],
    "我换了健身教练，现在是Tom。": [],
    "我是产品经理，叫李雷。": ['liang HAS_ROLE "产品经理": observation ~', 'liang NAMED "李雷": observation ~'],
}
AHEAD = {
    "我再过两个月搬到杭州。": ["liang LIVES_IN 杭州: dated_beginning 2026-05"],
    "我过几天搬到杭州。": ["liang LIVES_IN 杭州: dated_beginning ~ (planned)"],
    "我年底前搬到杭州。": ["liang LIVES_IN 杭州: dated_beginning ~ (planned)"],
    "我退休后搬到杭州。": ["liang LIVES_IN 杭州: dated_beginning ~ (planned)"],
    "我毕业以后搬到杭州。": ["liang LIVES_IN 杭州: dated_beginning ~ (planned)"],
    "我过完年搬到杭州。": ["liang LIVES_IN 杭州: dated_beginning ~ (planned)"],
    "等孩子毕业后，我搬到杭州。": ["liang LIVES_IN 杭州: dated_beginning ~ (planned)"],
    "我周五搬到杭州。": ["liang LIVES_IN 杭州: dated_beginning 2026-03-06"],
    "我周五搬到了杭州。": ["liang LIVES_IN 杭州: dated_beginning 2026-02-27"],
    "我上周五加入华为。": ["liang WORKS_AT 华为: dated_beginning 2026-02-27"],
    "我毕业后加入了华为。": ["liang WORKS_AT 华为: dated_beginning ~"],
    "我2020年毕业后加入华为。": ["liang WORKS_AT 华为: dated_beginning 2020"],
    "后来我加入华为。": ["liang WORKS_AT 华为: dated_beginning ~"],
    "我差一点去了日本。": [],
    "我早一点加入华为就好了。": [],
}
PAST = {
    "我小时候住在嘉义。": ["liang LIVES_IN 嘉义: end ~"],
    "我上大学的时候住在武汉。": ["liang LIVES_IN 武汉: end ~"],
    "我本来在百度工作。": ["liang WORKS_AT 百度: end ~"],
    "我本来就喜欢咖啡。": ["liang LIKES 咖啡: observation ~"],
    "我本来打算加入华为。": [],
    "林先生原本住台北。": ["林先生 LIVES_IN 台北: end ~"],
    "我那时候住在北京。": ["liang LIVES_IN 北京: end ~"],
    "我那年加入了华为。": ["liang WORKS_AT 华为: dated_beginning ~ (faint)"],
    "我结婚前住在北京。": ["liang LIVES_IN 北京: end ~"],
    "我目前住在北京。": ["liang LIVES_IN 北京: observation ~"],
    "我开会的时候说英语。": ['liang SPEAKS "英语": observation ~'],
    "我上一份工作是老师。": ['liang HAS_ROLE "老师": end ~'],
    "小王在腾讯工作了五年，去年去了字节。": ["小王 WORKS_AT 腾讯: end ~"],
    "小王在腾讯工作了五年了。": ["小王 WORKS_AT 腾讯: since 2021"],
    "我的前同事李强现在在字节。": ["liang WORKS_WITH 李强: end ~"],
    "张伟离开北京去上海出差。": [],
    "张伟离开北京去上海工作了。": ["张伟 LIVES_IN 北京: end ~"],
}
BESIDE = {
    "我同事小刘昨天请假了。": ["liang WORKS_WITH 小刘: observation ~"],
    "我同事小刘以前住在北京。": ["liang WORKS_WITH 小刘: observation ~", "小刘 LIVES_IN 北京: end ~"],
    "我老板王总上个月去了日本。": [
        "liang REPORTS_TO 王总: observation ~",
        "王总 VISITED 日本: dated_beginning 2026-02",
    ],
    "我朋友小赵住在北京三年了。": ["liang FRIEND_OF 小赵: observation ~", "小赵 LIVES_IN 北京: since 2023"],
    "我以前的同事李强在字节工作。": ["liang WORKS_WITH 李强: end ~", "李强 WORKS_AT 字节: observation ~"],
    "我离开北京前住在朝阳区。": ["liang LIVES_IN 北京: end ~ (faint)"],
    "我爷爷得过肺癌。": ["liang的爷爷 HAS_CONDITION 肺癌: end ~"],
    "他们说我住在北京，其实我住在上海。": [
        "liang LIVES_IN 北京: observation ~ (reported)",
        "liang LIVES_IN 上海: observation ~",
    ],
    "我去年的老板是王总。": ["liang REPORTS_TO 王总: extent 2025..2026"],
    "我的邮箱li@a.com已经不用了。": ['liang HAS_EMAIL "li@a.com": end ~'],
    "我的手机13800138000今天起停机。": ['liang HAS_PHONE "13800138000": end 2026-03-02'],
    "王磊2024.06.01加入华为。": ["王磊 WORKS_AT 华为: dated_beginning 2024-06-01"],
}
CORRECTED = {
    "我住在北京，不对，是天津。": ["liang LIVES_IN 天津: observation ~"],
    "我在腾讯工作，说错了，是在阿里工作。": ["liang WORKS_AT 阿里: observation ~"],
    "我在Google工作，不对，是Apple。": ["liang WORKS_AT Apple: observation ~"],
    "我2021年入职华为，不对，是2020年。": ["liang WORKS_AT 华为: dated_beginning 2020"],
    "我老婆叫李静，不对，叫李娜。": ["liang SPOUSE_OF 李娜: observation ~"],
    "我的邮箱是a@b.com，不对，是c@b.com。": ['liang HAS_EMAIL "c@b.com": observation ~'],
    "我喜欢茶，不，我喜欢咖啡。": ["liang LIKES 咖啡: observation ~"],
    "我住在北京，不对。": [],
    "之前说错了，我住在苏州，不是无锡。": ["liang LIVES_IN 苏州: observation ~", "liang LIVES_IN 无锡: denial ~"],
    "我在Google工作，不是Apple。": ["liang WORKS_AT Google: observation ~", "liang WORKS_AT Apple: denial ~"],
    "我对花生过敏，不是虾。": ["liang ALLERGIC_TO 花生: observation ~", "liang ALLERGIC_TO 虾: denial ~"],
    "我不住北京，是天津。": ["liang LIVES_IN 北京: denial ~", "liang LIVES_IN 天津: observation ~"],
    "我住在北京，不是本地人。": ["liang LIVES_IN 北京: observation ~"],
    "我去年加入华为，不是前年。": ["liang WORKS_AT 华为: dated_beginning 2025"],
}
ALL = DENIED | UNREAL | OTHERS | NAMES | AHEAD | PAST | BESIDE | CORRECTED


@pytest.mark.parametrize("text", ALL)
async def test_what_it_says(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == ALL[text]
